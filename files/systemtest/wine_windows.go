package systemtest

import "golang.org/x/sys/windows"

// IsWine reports whether the test runs under Wine.
func IsWine() bool {
	return windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
}
