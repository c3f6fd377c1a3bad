-- AlterTable
ALTER TABLE "project" ADD COLUMN     "source_report" JSON;
