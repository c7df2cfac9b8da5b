module cbkit/internal/pieces

go 1.26.0

require (
	github.com/go-fonts/dejavu v0.3.2
	golang.org/x/image v0.47.0
)

require golang.org/x/text v0.43.0 // indirect
