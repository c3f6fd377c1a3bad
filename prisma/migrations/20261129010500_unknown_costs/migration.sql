-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "estimated" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "unpriced_messages" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "usage_record" ALTER COLUMN "cost_usd" DROP NOT NULL;
