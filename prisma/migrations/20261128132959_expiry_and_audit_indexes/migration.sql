-- DropIndex
DROP INDEX "audit_entry_team_id_at_idx";

-- CreateIndex
CREATE INDEX "audit_entry_team_id_id_idx" ON "audit_entry"("team_id", "id");

-- CreateIndex
CREATE INDEX "password_reset_expires_at_idx" ON "password_reset"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_family_expires_at_idx" ON "refresh_family"("expires_at");
