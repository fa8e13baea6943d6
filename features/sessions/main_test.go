package sessions

import (
	"os"
	"testing"

	"memctl/clients"
	otherclients "memctl/features/clients"
)

func TestMain(m *testing.M) {
	clients.Others = otherclients.All()
	os.Exit(m.Run())
}
