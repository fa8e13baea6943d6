-- The folder of the project that a memory is for, '' for the project. The catalogue has it too.

-- +goose Up
ALTER TABLE memories ADD COLUMN folder TEXT NOT NULL DEFAULT '';

CREATE INDEX memories_by_folder ON memories (folder) WHERE folder <> '';
