package main

import "go/token"

// becomes tells what a token turns into under a kind of mutation, with the names
// gremlins v0.6.0 uses.
func becomes(kind string, tok token.Token) (token.Token, bool) {
	tables := map[string]map[token.Token]token.Token{
		"ARITHMETIC_BASE": {token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL},
		"CONDITIONALS_BOUNDARY": {
			token.GEQ: token.GTR, token.GTR: token.GEQ, token.LEQ: token.LSS, token.LSS: token.LEQ,
		},
		"CONDITIONALS_NEGATION": {
			token.EQL: token.NEQ, token.NEQ: token.EQL, token.GEQ: token.LSS, token.LSS: token.GEQ,
			token.GTR: token.LEQ, token.LEQ: token.GTR,
		},
		"INCREMENT_DECREMENT": {token.INC: token.DEC, token.DEC: token.INC},
		"INVERT_LOGICAL":      {token.LAND: token.LOR, token.LOR: token.LAND},
		"INVERT_LOOPCTRL":     {token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK},
		"INVERT_NEGATIVES":    {token.SUB: token.ADD},
		"INVERT_ASSIGNMENTS": {
			token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
			token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN, token.REM_ASSIGN: token.MUL_ASSIGN,
		},
		"INVERT_BITWISE": {
			token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
			token.SHL: token.SHR, token.SHR: token.SHL,
		},
		"INVERT_BWASSIGN": {
			token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.XOR_ASSIGN: token.AND_ASSIGN,
			token.AND_NOT_ASSIGN: token.AND_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
		},
	}
	if kind == "REMOVE_SELF_ASSIGNMENTS" {
		return token.ASSIGN, true
	}
	to, known := tables[kind][tok]
	return to, known
}
