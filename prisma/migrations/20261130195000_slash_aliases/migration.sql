-- AlterTable
ALTER TABLE "team" ADD COLUMN "slash_aliases" JSON NOT NULL DEFAULT '[]';
