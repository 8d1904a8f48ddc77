import type { Key } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Name } from '../components/name.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import type { OpenKeyDialog } from './key-dialogs.tsx'

interface KeyTableProps {
  readonly keys: readonly Key[]
  readonly onOpen: (dialog: OpenKeyDialog) => void
}

const { columns } = texts.keys

export function KeyTable({ keys, onOpen }: KeyTableProps) {
  return (
    <ScrollRegion label={texts.pages.keys}>
      <table>
        <thead>
          <tr>
            {[columns.name, columns.prefix, columns.kind, columns.permissions, columns.created, columns.lastUsed].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
            <th scope="col" class="right">
              {texts.common.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.prefix} of={key} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Row({ of: key, onOpen }: { readonly of: Key; readonly onOpen: KeyTableProps['onOpen'] }) {
  const { last_used: lastUsed } = key as Key & { readonly last_used?: string | null }
  return (
    <tr>
      <th scope="row">
        <Name name={key.name} id={key.prefix} />
      </th>
      <td class="mono">{key.prefix}</td>
      <td>{texts.keys.kinds[key.kind]}</td>
      <td>
        <details>
          <summary>{texts.keys.granted(key.permissions.length)}</summary>
          <p class="soft small">{texts.keys.signsWith(key.algorithm)}</p>
          <ul class="list mono">
            {key.permissions.map((permission) => (
              <li key={permission}>{permission}</li>
            ))}
          </ul>
        </details>
      </td>
      <td>
        <Time at={key.created} precision="day" />
      </td>
      <td>
        {lastUsed ? <time dateTime={lastUsed}>{lastUsed}</time> : <span class="soft">{texts.keys.neverUsed}</span>}
      </td>
      <td class="actions-cell">
        {key.revoked ? (
          <span class="badge bad">{texts.keys.revoked}</span>
        ) : (
          <>
            <ActionButton look="quiet" onAct={() => onOpen({ kind: 'permissions', key })}>
              {texts.keys.change}
            </ActionButton>
            <ActionButton look="quiet danger" onAct={() => onOpen({ kind: 'revoke', key })}>
              {texts.keys.revoke}
            </ActionButton>
          </>
        )}
      </td>
    </tr>
  )
}
