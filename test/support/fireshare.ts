import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** The tables that an import reads, as created by the migrations of Fireshare 1.6. */
const TABLES_1_6 = `
CREATE TABLE user (id INTEGER NOT NULL PRIMARY KEY, username VARCHAR(100) UNIQUE, password VARCHAR(100),
  admin BOOLEAN DEFAULT '1', ldap BOOLEAN DEFAULT '0', last_seen_version VARCHAR(32));
CREATE TABLE video (id INTEGER NOT NULL PRIMARY KEY, video_id VARCHAR(32) NOT NULL, extension VARCHAR(8) NOT NULL,
  path VARCHAR(2048) NOT NULL, available BOOLEAN, created_at DATETIME, updated_at DATETIME, recorded_at DATETIME,
  source_folder VARCHAR(256));
CREATE INDEX ix_video_video_id ON video (video_id);
CREATE TABLE video_info (id INTEGER NOT NULL PRIMARY KEY, video_id VARCHAR(32) NOT NULL REFERENCES video (video_id),
  title VARCHAR(256), description VARCHAR(2048), info TEXT, duration FLOAT, width INTEGER, height INTEGER,
  private BOOLEAN, has_480p BOOLEAN, has_720p BOOLEAN, has_1080p BOOLEAN,
  start_time FLOAT, end_time FLOAT, has_crop BOOLEAN DEFAULT '0', password_hash VARCHAR(256));
CREATE TABLE video_view (id INTEGER NOT NULL PRIMARY KEY, video_id VARCHAR(32) NOT NULL REFERENCES video (video_id),
  ip_address VARCHAR(256) NOT NULL, UNIQUE (video_id, ip_address));
CREATE TABLE game_metadata (id INTEGER NOT NULL PRIMARY KEY, steamgriddb_id INTEGER, name VARCHAR(256) NOT NULL,
  release_date VARCHAR(64), hero_url VARCHAR(2048), logo_url VARCHAR(2048), icon_url VARCHAR(2048),
  created_at DATETIME, updated_at DATETIME);
CREATE TABLE video_game_link (id INTEGER NOT NULL PRIMARY KEY, video_id VARCHAR(32) NOT NULL REFERENCES video (video_id),
  game_id INTEGER NOT NULL REFERENCES game_metadata (id), created_at DATETIME);
CREATE TABLE custom_tag (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(256) NOT NULL UNIQUE, color VARCHAR(7),
  created_at DATETIME, updated_at DATETIME);
CREATE TABLE video_tag_link (id INTEGER NOT NULL PRIMARY KEY, video_id VARCHAR(32) NOT NULL REFERENCES video (video_id),
  tag_id INTEGER NOT NULL REFERENCES custom_tag (id), created_at DATETIME, UNIQUE (video_id, tag_id));
CREATE TABLE image (id INTEGER NOT NULL PRIMARY KEY, image_id VARCHAR(32) NOT NULL, extension VARCHAR(8) NOT NULL,
  path VARCHAR(2048) NOT NULL, available BOOLEAN, created_at DATETIME, updated_at DATETIME, source_folder VARCHAR(256));
`
/** Fireshare 1.8 added owners and folders. */
const CHANGES_1_8 = `
ALTER TABLE video ADD COLUMN folder_id INTEGER;
ALTER TABLE video ADD COLUMN uploaded_by INTEGER REFERENCES user (id);
ALTER TABLE user ADD COLUMN permissions TEXT;
ALTER TABLE user ADD COLUMN disabled BOOLEAN DEFAULT '0' NOT NULL;
CREATE TABLE media_folder (id INTEGER NOT NULL PRIMARY KEY, uuid VARCHAR(32) NOT NULL UNIQUE, path VARCHAR(2048) NOT NULL,
  media_type VARCHAR(16) NOT NULL, private BOOLEAN, available BOOLEAN, created_at DATETIME, updated_at DATETIME);
INSERT INTO user (id, username, admin) VALUES (1, 'admin', 1);
`

export type MadeVideo = {
  path: string
  title?: string
  description?: string
  createdAt?: string
  isPrivate?: boolean
  views?: number
  game?: string
  tags?: string[]
  crop?: [start: number, end: number | null]
  passwordHash?: string
}

/**
 * Writes the database of a Fireshare whose videos lie in `videos/` beside it.
 * @returns the folder of videos
 */
export async function writeFireshare(
  folder: string,
  input: { version: '1.6' | '1.8'; videos: MadeVideo[]; images?: number },
): Promise<string> {
  await mkdir(join(folder, 'videos'), { recursive: true })
  const sqlite = new Sqlite(join(folder, 'db.sqlite'))
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('foreign_keys = OFF')
  sqlite.exec(TABLES_1_6)
  if (input.version === '1.8') sqlite.exec(CHANGES_1_8)
  const run = (statement: string, ...values: unknown[]) => sqlite.prepare(statement).run(...values)
  const idOf = (table: string, name: string) => {
    const known = sqlite.prepare(`SELECT id FROM ${table} WHERE name = ?`).pluck().get(name)
    return known ?? run(`INSERT INTO ${table} (name) VALUES (?)`, name).lastInsertRowid
  }
  sqlite.exec('BEGIN')
  for (const [index, video] of input.videos.entries()) {
    const id = index.toString(16).padStart(32, '0')
    const [start = null, end = null] = video.crop ?? []
    run(
      'INSERT INTO video (video_id, extension, path, available, created_at) VALUES (?, ?, ?, 1, ?)',
      ...[id, '.mp4', video.path, video.createdAt ?? '2024-05-06 07:08:09.123456'],
    )
    run(
      `INSERT INTO video_info (video_id, title, description, info, private, start_time, end_time, has_crop, password_hash)
       VALUES (?, ?, ?, '[]', ?, ?, ?, ?, ?)`,
      ...[id, video.title ?? `Video ${index}`, video.description ?? null, video.isPrivate ? 1 : 0],
      ...[start, end, video.crop ? 1 : 0, video.passwordHash ?? null],
    )
    for (let view = 0; view < (video.views ?? 0); view++) {
      run('INSERT INTO video_view (video_id, ip_address) VALUES (?, ?)', id, `10.0.0.${view}`)
    }
    if (video.game) {
      const game = idOf('game_metadata', video.game)
      run('INSERT INTO video_game_link (video_id, game_id) VALUES (?, ?)', id, game)
    }
    for (const tag of video.tags ?? []) {
      run(
        'INSERT INTO video_tag_link (video_id, tag_id) VALUES (?, ?)',
        id,
        idOf('custom_tag', tag),
      )
    }
  }
  for (let image = 0; image < (input.images ?? 0); image++) {
    run(
      'INSERT INTO image (image_id, extension, path) VALUES (?, ?, ?)',
      `${image}`,
      '.png',
      'a.png',
    )
  }
  sqlite.exec('COMMIT')
  sqlite.close()
  return join(folder, 'videos')
}

export const madePath = async (folder: string, path: string): Promise<string> => {
  const full = join(folder, 'videos', path)
  await mkdir(dirname(full), { recursive: true })
  return full
}
