package rpc

// ReadLogUpTo is ReadLog with another limit on the bytes of a line.
var ReadLogUpTo = readLog
