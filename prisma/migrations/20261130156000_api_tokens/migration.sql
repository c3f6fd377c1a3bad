-- AlterTable
ALTER TABLE "session" ADD COLUMN     "started_by_class" TEXT NOT NULL DEFAULT 'human',
ADD COLUMN     "started_by_token" TEXT;

-- CreateTable
CREATE TABLE "api_token" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "name" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "identity_class" TEXT NOT NULL,
    "claims" JSON NOT NULL,
    "may_mint" BOOLEAN NOT NULL DEFAULT false,
    "not_before" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_token_secret_hash_key" ON "api_token"("secret_hash");

-- CreateIndex
CREATE INDEX "api_token_user_id_created_at_idx" ON "api_token"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "api_token_team_id_created_at_idx" ON "api_token"("team_id", "created_at");

-- CreateIndex
CREATE INDEX "api_token_parent_id_idx" ON "api_token"("parent_id");

-- AddForeignKey
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
