import { type Kysely, sql } from 'kysely'

// Within a trigger the clause of the statement that fires it counts, and an upsert has no OR IGNORE: the
// second view of a day was refused.
const addViews = (count: string) => `
    INSERT INTO siteDays (day)
      SELECT NEW.day WHERE NOT EXISTS (SELECT 1 FROM siteDays WHERE day = NEW.day);
    UPDATE siteDays SET views = views + ${count} WHERE day = NEW.day;`

const statements = [
  `DROP TRIGGER IF EXISTS dayViewed`,
  `DROP TRIGGER IF EXISTS dayViewedAgain`,
  `CREATE TRIGGER dayViewed AFTER INSERT ON dailyViews BEGIN${addViews('NEW.count')}
  END`,
  `CREATE TRIGGER dayViewedAgain AFTER UPDATE OF count ON dailyViews BEGIN${addViews('NEW.count - OLD.count')}
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
