import type { Key } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Name } from '../components/name.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { Time } from '../components/time.tsx'
import type { ListPage } from '../rows-of-pages.ts'
import { texts } from '../texts.ts'
import type { OpenKeyDialog } from './key-dialogs.tsx'

interface KeyTableProps {
  readonly page: ListPage<Key>
  readonly onOpen: (dialog: OpenKeyDialog) => void
  readonly onOffset: (offset: number) => void
}

const { columns } = texts.keys

export function KeyTable({ page, onOpen, onOffset }: KeyTableProps) {
  return (
    <PagedTable
      label={texts.pages.keys}
      columns={[
        { head: columns.name },
        { head: columns.prefix },
        { head: columns.kind },
        { head: columns.permissions },
        { head: columns.created },
        { head: columns.lastUsed },
        { head: texts.common.actions, isRight: true },
      ]}
      page={page}
      onOffset={onOffset}
    >
      {page.rows.map((key) => (
        <Row key={key.prefix} of={key} onOpen={onOpen} />
      ))}
    </PagedTable>
  )
}

function Row({ of: key, onOpen }: { readonly of: Key; readonly onOpen: KeyTableProps['onOpen'] }) {
  return (
    <tr>
      <th scope="row">
        <Name name={key.name} id={key.prefix} />
      </th>
      <td class="mono">{key.prefix}</td>
      <td class="lead">{texts.keys.kinds[key.kind]}</td>
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
      <td class="wide-only">
        <Time at={key.created} precision="day" />
      </td>
      <td data-head={columns.lastUsed}>
        {key.last_used === null ? (
          <span class="soft">{texts.keys.neverUsed}</span>
        ) : (
          <time dateTime={key.last_used}>{key.last_used}</time>
        )}
      </td>
      <td class="actions-cell below">
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
