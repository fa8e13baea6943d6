// Package web serves the memories of a root to the browser of the person who started it:
// to browse, understand and change them. What a page shows comes from the packages below,
// and every change goes through package writer. It owns the pages, the access to them and
// their texts; it reads no file that a request names.
package web
