// `scorebook serve --help` names every environment variable that the program reads.

import { expect } from 'chai'
import { VARIABLES } from '../../server/config.ts'
import { command } from './service.ts'

describe('scorebook serve --help', () => {
  it('names every environment variable that the program reads, SMTP_URL among them', async () => {
    const { code, out } = await command({}, 'serve', '--help')
    expect(code).to.equal(0)
    expect(VARIABLES).to.include('SMTP_URL')
    expect(VARIABLES.filter((name) => !new RegExp(`\\b${name}\\b`).test(out))).to.deep.equal([])
  })
})
