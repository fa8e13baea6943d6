package privacy

import _ "memctl/patterns/re2" // regular expressions, for the tests
