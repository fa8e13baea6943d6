package clients

import (
	"os"
	"testing"

	"memctl/clients"
)

func TestMain(m *testing.M) {
	clients.Others = All()
	os.Exit(m.Run())
}
