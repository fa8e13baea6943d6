-- Publications come in parts, and say by the tree of a commit that nothing has changed.

-- +goose Up

-- A program of before cannot publish any more: it would leave a tree behind that is not that of its publication.
DROP TABLE publications;
DROP FUNCTION drop_old_publications;

-- tree: the SHA-256 of the program's version and of what stands for all memories, NULL for none.
-- incomplete: parts of a newer publication came, and not its end.
ALTER TABLE repositories ADD COLUMN tree bytea, ADD COLUMN incomplete boolean NOT NULL DEFAULT false;
