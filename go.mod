module github.com/contextforge-go/contextforge

go 1.26.0
