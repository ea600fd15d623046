import { expect } from 'vitest'
import { postDigests } from '#server/community/digest/digest.service.ts'
import { longTest } from '#test/support/long-form.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, changeRows, listRows } from '#test/support/rows.ts'
import { openTestNodes } from '#test/support/test-nodes.ts'

const LONG_AGO = '2020-01-01T00:00:00.000Z'

longTest('of two nodes one sends a link, and one a summary', async () => {
  const server = await startMailServer()
  const nodes = await openTestNodes({ mail: server.config, publicUrl: 'https://clips.example.org' })
  try {
    const { one, other } = nodes
    const both = [one, other]
    const deliver = () => Promise.all(both.map(({ deps }) => deps.mail?.deliver()))
    const ann = await one.addMember('ann')
    for (let round = 0; round < 3; round++) {
      await callsOf(round % 2 ? one : other).ask(undefined, 'auth.forgotPassword', { name: 'ann' })
    }
    await deliver()
    expect(server.to('ann@example.org')).toHaveLength(3)
    server.clear()
    const where = { id: ann.id }
    await changeRows(one.db, 'users', { where, values: { emailVerifiedAt: LONG_AGO } })
    await callsOf(one).ask(ann, 'digest.choose', { every: 'day' })
    await addRow(one.db, 'notifications', {
      ...{ userId: ann.id, type: 'comment', title: 'News', message: 'Much', sourceUserId: null },
      createdAt: new Date().toISOString(),
    })
    const tomorrow = new Date(Date.now() + 86_401_000)
    await Promise.all(both.map(({ deps }) => postDigests(deps, tomorrow)))
    await deliver()
    expect(server.to('ann@example.org')).toHaveLength(1)
    expect(await listRows(one.db, 'mails')).toEqual([])
  } finally {
    await nodes.close()
    await server.stop()
  }
})
