-- AlterTable
ALTER TABLE "permission" ADD COLUMN "proposal" JSON;
