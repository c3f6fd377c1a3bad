-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "output_schema" TEXT,
ADD COLUMN     "structured" TEXT;
