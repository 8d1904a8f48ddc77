// Reading a key from its stream if the views do not contain it.

import { expect } from 'chai'
import { keysInLog } from '../../access/key-in-log.ts'
import { FROZEN } from '../domain/frozen.ts'
import { createMemoryLog } from '../memory/log.ts'

describe('reading a key from the log', () => {
  const log = createMemoryLog()
  before(async () => {
    const events = FROZEN.filter(({ stream }) => stream === 'key-ck_a')
    await log.append(
      'key-ck_a',
      'none',
      events.map(({ id, type, data, meta }) => ({ id, type, data, meta })),
    )
  })

  it('returns the state of the stream and the position of its last event', async () => {
    const head = await log.head()
    const found = await keysInLog(log)('ck_a')
    expect(found?.pos).to.equal(head)
    expect(found?.state).to.include({ name: 'client', revoked: true })
  })

  it('returns null without a stream', async () => {
    expect(await keysInLog(log)('ck_b')).to.equal(null)
  })

  it('returns null without reading the log if the text is not a key prefix', async () => {
    const readStream = () => Promise.reject(expect.fail('asked'))
    for (const odd of ['', 'ck a', 'ck_é', 'a.b', 'x'.repeat(65)]) {
      expect(await keysInLog({ readStream })(odd)).to.equal(null)
    }
  })

  it('returns null if the log is unavailable or does not answer', async () => {
    const answers = [() => Promise.reject(new Error('away')), () => new Promise<never>(() => {})]
    for (const readStream of answers) expect(await keysInLog({ readStream })('ck_a')).to.equal(null)
  })
})
