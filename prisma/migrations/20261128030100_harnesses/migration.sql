-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "harnesses" TEXT[] NOT NULL DEFAULT ARRAY['claude-code']::TEXT[];
