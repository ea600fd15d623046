import { type Kysely, sql } from 'kysely'

/** SHA-256 in hexadecimal digits; null for files from before, until one of the site's checks has read them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE "mediaFiles" ADD COLUMN "sha256" TEXT`.execute(db)
  await sql`ALTER TABLE "videos" ADD COLUMN "sourceSha256" TEXT`.execute(db)
  await sql`ALTER TABLE "users" ADD COLUMN "avatarSha256" TEXT`.execute(db)
  await sql`ALTER TABLE "users" ADD COLUMN "bannerSha256" TEXT`.execute(db)
  await sql`ALTER TABLE "siteSettings" ADD COLUMN "logoSha256" TEXT`.execute(db)
}
