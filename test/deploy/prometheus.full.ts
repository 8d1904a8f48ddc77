// Prometheus's own tool tests the alert rules.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from './compose-file.ts'

const run = promisify(execFile)
const promtool = (...args: string[]) => run('promtool', args, { cwd: ROOT, timeout: 60_000 })

describe('deploy/alerts.yaml', function () {
  this.timeout(90_000)

  it('has rules that Prometheus reads', async () => {
    expect((await promtool('check', 'rules', 'deploy/alerts.yaml')).stdout).to.match(/SUCCESS: \d+ rules found/)
  })

  it('rings when and only when deploy/alerts.test.yaml says', async () => {
    expect((await promtool('test', 'rules', 'deploy/alerts.test.yaml')).stdout).to.contain('SUCCESS')
  })
})
