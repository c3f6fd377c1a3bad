-- AlterTable
ALTER TABLE "session" ADD COLUMN     "has_unstored_act" BOOLEAN NOT NULL DEFAULT false;
