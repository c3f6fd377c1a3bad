-- CreateTable
CREATE TABLE "model_key" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT,
    "active_slot" TEXT,
    "sealed" BYTEA,
    "hint" TEXT,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_error_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "model_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "model_key_active_slot_key" ON "model_key"("active_slot");

-- CreateIndex
CREATE INDEX "model_key_team_id_created_at_idx" ON "model_key"("team_id", "created_at");

-- AddForeignKey
ALTER TABLE "model_key" ADD CONSTRAINT "model_key_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
