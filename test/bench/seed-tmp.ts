import { seededSite } from '/tmp/wt/lead/test/bench/seeded-site.ts'

for (const videos of [1000, 100_000, 1_000_000]) {
  const t = Date.now()
  console.log(await seededSite({ videos, note: console.log }), (Date.now() - t) / 1000)
}
