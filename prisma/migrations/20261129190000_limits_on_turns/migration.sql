-- AlterTable
ALTER TABLE "team" ADD COLUMN     "limits" JSON NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "limits" JSON NOT NULL DEFAULT '{}';
