-- AlterTable
ALTER TABLE "usage_record" ADD COLUMN     "estimated" BOOLEAN NOT NULL DEFAULT false;
