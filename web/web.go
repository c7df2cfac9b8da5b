// Package web holds the page on which games are looked at: one HTML file, one style
// sheet, a few ES modules, the drawings of the pieces, and the licence of the font
// that their outlines come from. Nothing is built, and no rule of chess is in
// JavaScript: moves, their notation and positions come through a carrier, from
// cbkit serve (http.js), from WebAssembly in a worker (files.js, worker.js), or out
// of the page itself (page.js).
package web

import "embed"

// Files are the files of the page as they are in this folder. Which carrier the
// page uses says the module carrier.js, in whose place one of them is served.
//
//go:embed index.html style.css *.js pieces.svg LICENSE-DejaVu
var Files embed.FS
