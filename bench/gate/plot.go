package main

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The plot's size in pixels: the box that lines are drawn in, and what is around it.
const (
	plotWidth, plotHeight = 560.0, 320.0
	plotLeft, plotTop     = 64.0, 60.0
	plotRight, plotBottom = 140.0, 48.0
)

type line struct {
	name   string
	style  int
	points [][2]float64 // nodes, ns a node
}

// series are the sides of the rows "size-N" of a module, and what the plot calls them.
func series() [][3]string {
	return [][3]string{
		{"peers", library, "decode: " + library},
		{"peers", "vtprotobuf", "decode: vtprotobuf"},
		{"peers", "structpb", "decode: structpb"},
		{"peers", "floor", "floor"},
		{"peers", "encode", "encode"},
		{"peers", "equal", "equal"},
		{"peers", "diff", "diff"},
		{"peers", "hash", "hash"},
		{"pulumi", "sdk", "decode: Pulumi SDK"},
	}
}

func (r results) lines() []line {
	var all []line
	for i, names := range series() {
		one := line{name: names[2], style: i}
		for key, samples := range r.samples {
			rest, ok := strings.CutPrefix(key, names[0]+"/size-")
			size, side, _ := strings.Cut(rest, "/")
			nodes, err := strconv.ParseFloat(size, 64)
			if ok && err == nil && side == names[1]+" sec/op" {
				one.points = append(one.points, [2]float64{nodes, median(samples) * 1e9 / nodes})
			}
		}

		slices.SortFunc(one.points, func(a, b [2]float64) int { return int(a[0] - b[0]) })
		if len(one.points) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// plot is an SVG of time over size, both logarithmic. It has a light and a dark
// form, after what the reader's browser says.
func (r results) plot() string {
	var b strings.Builder
	width, height := plotLeft+plotWidth+plotRight, plotTop+plotHeight+plotBottom
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>decode, encode, equal, diff and hash: nanoseconds for each node, by nodes</title>
<style>
text { fill: #333 } .grid { stroke: #ddd } .s0 { stroke: #0b62c4; fill: #0b62c4 } .s1 { stroke: #b4540a; fill: #b4540a }
.s2 { stroke: #7a3fa0; fill: #7a3fa0 } .s3 { stroke: #777; fill: #777 } .s4 { stroke: #0a7d63; fill: #0a7d63 }
.s5 { stroke: #b0246b; fill: #b0246b } .s6 { stroke: #8a6d00; fill: #8a6d00 } .s7 { stroke: #4a55a8; fill: #4a55a8 } .s8 { stroke: #c0271a; fill: #c0271a }
polyline { fill: none !important; stroke-width: 2 }
text[class] { stroke: none }
@media (prefers-color-scheme: dark) { text { fill: #ccc } .grid { stroke: #444 } .s0 { stroke: #6cb2ff; fill: #6cb2ff }
.s1 { stroke: #ff9d57; fill: #ff9d57 } .s2 { stroke: #cf9bf0; fill: #cf9bf0 } .s3 { stroke: #aaa; fill: #aaa } .s4 { stroke: #4fd0b0; fill: #4fd0b0 }
.s5 { stroke: #ff85bd; fill: #ff85bd } .s6 { stroke: #e0c040; fill: #e0c040 } .s7 { stroke: #a9b4ff; fill: #a9b4ff }
.s8 { stroke: #ff8a80; fill: #ff8a80 } }
</style>
<text x="%g" y="18" font-size="14">decode, encode, equal, diff, hash: time for each node</text>
<text x="%g" y="34">structpb and vtprotobuf stop at a Struct; floor copies the bytes and checks UTF-8</text>
<text x="%g" y="49">%s</text>
`, width, height, plotLeft, plotLeft, plotLeft, html.EscapeString(r.head))
	all := r.lines()
	if len(all) == 0 {
		return b.String() + "</svg>\n"
	}

	at := axes(&b, all)
	heights := labels(all, at)
	for i, one := range all {
		var points []string
		for _, p := range one.points {
			x, y := at(p)
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
			fmt.Fprintf(&b, `<circle class="s%d" cx="%.1f" cy="%.1f" r="3"><title>%s, %.0f nodes: %.3g ns a node</title></circle>`+"\n",
				one.style, x, y, one.name, p[0], p[1])
		}
		fmt.Fprintf(&b, `<polyline class="s%d" points="%s"/>`+"\n", one.style, strings.Join(points, " "))
		x, _ := at(one.points[len(one.points)-1])
		fmt.Fprintf(&b, `<text class="s%d" x="%.1f" y="%.1f">%s</text>`+"\n", one.style, x+8, heights[i]+4, one.name)
	}

	return b.String() + "</svg>\n"
}

// labels returns how high the name of each line stands: at its end, or below the
// name that is there already.
func labels(all []line, at func(p [2]float64) (x, y float64)) []float64 {
	const apart = 13
	order, heights := make([]int, len(all)), make([]float64, len(all))
	for i, one := range all {
		order[i] = i
		_, heights[i] = at(one.points[len(one.points)-1])
	}

	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	for i := 1; i < len(order); i++ {
		heights[order[i]] = max(heights[order[i]], heights[order[i-1]]+apart)
	}
	return heights
}

func axes(b *strings.Builder, all []line) func(p [2]float64) (x, y float64) {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, one := range all {
		for _, p := range one.points {
			lowX, highX = min(lowX, math.Floor(math.Log10(p[0]))), max(highX, math.Ceil(math.Log10(p[0])))
			lowY, highY = min(lowY, math.Floor(math.Log10(p[1]))), max(highY, math.Ceil(math.Log10(p[1])))
		}
	}
	at := func(p [2]float64) (x, y float64) {
		share := func(v, low, high float64) float64 { return (math.Log10(v) - low) / max(high-low, 1) }
		return plotLeft + plotWidth*share(p[0], lowX, highX), plotTop + plotHeight*(1-share(p[1], lowY, highY))
	}
	for e := lowX; e <= highX; e++ {
		x, _ := at([2]float64{math.Pow(10, e), 1})
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%g" x2="%.1f" y2="%g"/><text x="%.1f" y="%g" text-anchor="middle">%s</text>`+"\n",
			x, plotTop, x, plotTop+plotHeight, x, plotTop+plotHeight+18, number(math.Pow(10, e)))
	}
	for e := lowY; e <= highY; e++ {
		_, y := at([2]float64{1, math.Pow(10, e)})
		fmt.Fprintf(b, `<line class="grid" x1="%g" y1="%.1f" x2="%g" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`+"\n",
			plotLeft, y, plotLeft+plotWidth, y, plotLeft-6, y+4, time.Duration(math.Pow(10, e)))
	}

	fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle">nodes</text>`+"\n", plotLeft+plotWidth/2, plotTop+plotHeight+38)
	return at
}

// number writes a whole number, its digits in groups of three.
func number(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
