// `scorebook restore --servers`: the last step of a restore of database servers.

import { sealingKeys } from '../credentials/master.ts'
import { renewInstallation } from '../portability/backup/renew-installation.ts'
import { readConfig } from '../server/config.ts'
import { shareOf } from '../stores/support/positions.ts'
import type { Answer } from './command.ts'
import { CommandFault } from './failure.ts'
import { withOwnStores } from './own-stores.ts'
import { EVENTS, formatInteger, progressBar } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** With every process stopped, and the log and the vault restored. */
export async function restoreServers(terminal: Terminal): Promise<Answer> {
  const config = readConfig(terminal.env)
  const { servers, redisPrefix } = config
  if (servers === null) {
    throw new CommandFault(
      'The configuration names no servers. For a data folder use `scorebook restore --from <destination> --to <folder>`.',
    )
  }
  return withOwnStores(config, terminal, async (opened, master) => {
    const bar = progressBar(terminal, 'Reading the log', null, EVENTS)
    const renewed = await renewInstallation(opened, sealingKeys(master), (events, last, head) =>
      bar.reached(events, shareOf(last, head)),
    ).finally(bar.drop)
    const { installation, sessions, unknownSecrets, views } = renewed
    const { clearRedis } = await import('../stores/redis/redis.ts')
    const keys = await clearRedis(servers.redisUrl, redisPrefix)
    const dropped = `${formatInteger(views)} views and ${formatInteger(keys)} keys in Redis were deleted`
    return {
      json: { installation, sessions, unknown_secrets: unknownSecrets, views, redis_keys: keys },
      lines: [
        `${dropped}. The next start builds the views from the log.`,
        `All ${formatInteger(sessions)} sessions ended. Tokens, links, codes and positions from before are refused; keys, passwords and guest tokens stay valid.`,
        `${formatInteger(unknownSecrets)} secrets of players, logins and keys that the log does not have were destroyed.`,
        `This is a new installation, ${installation}, and does not own the file store: until \`scorebook files adopt\`, uploads are 503 files_off. ` +
          'Run that once nothing else uses the store.',
        'Start one projector, wait until it is ready, and start the rest. Then run `scorebook doctor`.',
      ],
    }
  })
}
