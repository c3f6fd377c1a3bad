-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "originator" TEXT;
