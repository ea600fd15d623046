import { openTestSite } from './support/test-site.ts'
import { sql } from 'kysely'
const site = await openTestSite()
const ann = await site.addMember('ann')
const add = (title: string, f = {}) => site.addVideo(ann, { title, ...f })
await add('Майнкрафт обзор'); await add('한국 게임'); await add('がんばれ ゲーム'); await add('हिन्दी वीडियो'); await add('日本語の動画'); await add('กำลังเล่น'); await add('Überfall Ñandú'); await add('🔥 100% C++'); await add('Ёлка Άγγελος')
await add('long title about the mirage map and many other things that go on here', { description: 'x '.repeat(2000) })
await add('other', { description: 'mirage '.repeat(50) })
const s = async (q: string) => console.log(q, (await site.call({ method: 'GET', url: '/api/search?q=' + encodeURIComponent(q) })).json().map((v: any) => v.title.slice(0, 20)))
for (const q of ['Майнкрафт', 'майнкр', 'обзор', '한국', 'がんばれ', 'हिन्दी', '日本', 'กำลัง', 'uberfall', 'nandu', 'Überfall', '🔥', '%', 'C++', 'ёлка', 'елка', 'άγγελος', 'αγγελος', 'mirage', 'ΑΓΓΕΛΟΣ']) await s(q)
const { rows } = await sql`select term, doc from videoTerms`.execute(site.db); console.log(JSON.stringify(rows))
const id = await add('Dustbowl'); await site.db.deleteFrom('videos').where('id', '=', id).execute()
console.log(JSON.stringify((await sql`select term, doc from videoTerms where term='dustbowl'`.execute(site.db)).rows))
site.app.addHook
await site.close()
