// A key as its stream has it, where the views do not know it.

import { expect } from 'chai'
import { keysInLog } from '../../access/key-in-log.ts'
import { FROZEN } from '../domain/frozen.ts'
import { createMemoryLog } from '../memory/log.ts'

describe('a key in the log', () => {
  const log = createMemoryLog()
  before(async () => {
    const events = FROZEN.filter(({ stream }) => stream === 'key-ck_a')
    await log.append(
      'key-ck_a',
      'none',
      events.map(({ id, type, data, meta }) => ({ id, type, data, meta })),
    )
  })

  it('is as the stream says, with the place of the last of it', async () => {
    const head = await log.head()
    const found = await keysInLog(log)('ck_a')
    expect(found?.pos).to.equal(head)
    expect(found?.state).to.include({ name: 'client', revoked: true })
  })

  it('is none where there is no such stream', async () => {
    expect(await keysInLog(log)('ck_b')).to.equal(null)
  })

  it('is none, and the log is not asked, for what is no prefix', async () => {
    const readStream = () => Promise.reject(expect.fail('asked'))
    for (const odd of ['', 'ck a', 'ck_é', 'a.b', 'x'.repeat(65)]) {
      expect(await keysInLog({ readStream })(odd)).to.equal(null)
    }
  })

  it('is none where the log is away or does not answer', async () => {
    const answers = [() => Promise.reject(new Error('away')), () => new Promise<never>(() => {})]
    for (const readStream of answers) expect(await keysInLog({ readStream })('ck_a')).to.equal(null)
  })
})
