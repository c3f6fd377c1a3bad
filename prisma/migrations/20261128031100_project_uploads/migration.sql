-- AlterTable
ALTER TABLE "project" ADD COLUMN     "source_upload_key" TEXT;
