-- AlterTable
ALTER TABLE "pull_request" ADD COLUMN "notice" TEXT;
