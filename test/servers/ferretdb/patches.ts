// Patches of FerretDB for tests: each replaces a text that occurs once, or a given number of times, in its source. No
// patch changes the answer of a command.

interface Patch {
  readonly file: string
  readonly reason: string
  readonly old: string
  readonly times: number
  readonly now: string
}

const UPDATE = 'internal/handler/msg_update.go'
const FIND = 'internal/handler/msg_find.go'
const SQLITE = 'internal/backends/sqlite/collection.go'

export const PATCHES: readonly Patch[] = [
  {
    file: UPDATE,
    reason:
      'each update of one command kept a database connection to its end: past 100 of them the server hung for good',
    old: 'result, err := common.UpdateDocument(ctx, c, "update", iter, &u)',
    times: 1,
    now: 'result, err := common.UpdateDocument(ctx, c, "update", iter, &u)\n\t\tcloser.Close()',
  },
  {
    file: UPDATE,
    reason:
      'reading and writing of one update were two steps, between which another update was lost; in MongoDB they are one',
    old: 'matched, modified, upserted, err := h.updateDocument(connCtx, params)',
    times: 1,
    now: 'updating.Lock()\n\tmatched, modified, upserted, err := h.updateDocument(connCtx, params)\n\tupdating.Unlock()',
  },
  {
    file: UPDATE,
    reason: 'the lock of the patch before',
    old: '// MsgUpdate implements `update` command.',
    times: 1,
    now: 'var updating sync.Mutex\n\n// MsgUpdate implements `update` command.',
  },
  { file: UPDATE, reason: 'its import', old: '\t"fmt"\n', times: 1, now: '\t"fmt"\n\t"sync"\n' },
  {
    file: 'internal/backends/sqlite/metadata/metadata.go',
    reason: 'ids were queried by another expression than their index has, so the index was never used',
    old: `IDColumn = DefaultColumn + "->'$._id'"`,
    times: 1,
    now: 'IDColumn = DefaultColumn + `->"_id"`',
  },
  {
    file: SQLITE,
    reason:
      'an id was looked up by its index only where the filter held nothing else; each guarded write read all documents',
    old: 'if params.Filter.Len() == 1 {',
    times: 2,
    now: 'if params.Filter.Len() > 0 {',
  },
  {
    file: SQLITE,
    reason: 'the same for several ids',
    old: '\tq += whereClause\n',
    times: 1,
    now: `	if one, _ := params.Filter.Get("_id"); whereClause == "" && one != nil {
		if among, ok := one.(*types.Document); ok && among.Len() == 1 && among.Has("$in") {
			if ids, ok := must.NotFail(among.Get("$in")).(*types.Array); ok && ids.Len() > 0 {
				marks := make([]string, ids.Len())
				for i := range marks {
					marks[i] = "?"
					args = append(args, string(must.NotFail(sjson.MarshalSingleValue(must.NotFail(ids.Get(i))))))
				}
				whereClause = fmt.Sprintf(" WHERE %s IN (%s)", metadata.IDColumn, strings.Join(marks, ", "))
			}
		}
	}

	for _, field := range params.Filter.Keys() {
		bounds, ok := must.NotFail(params.Filter.Get(field)).(*types.Document)
		if !ok || !strings.HasPrefix(field, "f_") {
			continue
		}
		for _, operator := range bounds.Keys() {
			value, isText := must.NotFail(bounds.Get(operator)).(string)
			isPlain := isText && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
			sign := map[string]string{"$eq": "=", "$gt": ">=", "$gte": ">=", "$lt": "<=", "$lte": "<="}[operator]
			if !isPlain || sign == "" {
				continue
			}
			if whereClause == "" {
				whereClause = " WHERE "
			} else {
				whereClause += " AND "
			}
			whereClause += fmt.Sprintf("%s->>%q %s ?", metadata.DefaultColumn, field, sign)
			args = append(args, value)
		}
	}

	q += whereClause
	if params.ByPosition != 0 {
		order := ""
		if params.ByPosition < 0 {
			order = " DESC"
		}
		q += fmt.Sprintf(" ORDER BY %s->>%q%s, %s%s", metadata.DefaultColumn, "f_position", order, metadata.IDColumn, order)
	}
`,
  },
  {
    file: 'internal/backends/sqlite/metadata/registry.go',
    reason:
      'the indexes of our rows hold what their text is and not how it is written, in whose order the former is not',
    old: 'columns[i] = fmt.Sprintf("%s->%s", DefaultColumn, strings.Join(fields, "->"))',
    times: 1,
    now: `arrow := "->"
			if strings.HasPrefix(key.Field, "f_") {
				arrow = "->>"
			}
			columns[i] = fmt.Sprintf("%s%s%s", DefaultColumn, arrow, strings.Join(fields, "->"))`,
  },
  {
    file: 'internal/backends/collection.go',
    reason:
      'a history is read in pages, by position: each page read and sorted all of it, instead of an index from there on',
    old: 'OnlyRecordIDs bool\n\tComment       string\n}',
    times: 1,
    now: 'OnlyRecordIDs bool\n\tComment       string\n\tByPosition    int64\n}',
  },
  {
    file: FIND,
    reason: 'the same for queries',
    old: '\tcase params.Sort.Len() == 1:\n',
    times: 1,
    now: '\tcase byPosition(params.Sort) != 0:\n\t\tqp.ByPosition = byPosition(params.Sort)\n\tcase params.Sort.Len() == 1:\n',
  },
  {
    file: FIND,
    reason: 'the same: and not sorted again',
    old: 'iter, err := common.SortIterator(iter, closer, params.Sort)\n',
    times: 1,
    now: `sort := params.Sort
	if !h.DisablePushdown && byPosition(sort) != 0 {
		sort = nil
	}
	iter, err := common.SortIterator(iter, closer, sort)
`,
  },
  {
    file: FIND,
    reason:
      'the same: 1 for ascending and -1 for descending fields; positions are plain text, which SQLite orders as MongoDB does',
    old: '// makeFindQueryParams creates',
    times: 1,
    now: `func byPosition(sort *types.Document) int64 {
	if keys := sort.Keys(); len(keys) != 2 || keys[0] != "f_position" || keys[1] != "_id" {
		return 0
	}
	first, second := must.NotFail(sort.Get("f_position")), must.NotFail(sort.Get("_id"))
	direction, ok := first.(int64)
	if !ok || first != second {
		return 0
	}
	return direction
}

// makeFindQueryParams creates`,
  },
  {
    file: 'ferretdb/ferretdb.go',
    reason: 'embedded, FerretDB has no option for the name of a replica set, as its command can',
    old: 'TCPHost:       config.Listener.TCP,\n',
    times: 1,
    now: 'TCPHost:       config.Listener.TCP,\n\t\tReplSetName:   os.Getenv("REPLICA_SET"),\n',
  },
  { file: 'ferretdb/ferretdb.go', reason: 'its import', old: '\t"net/url"\n', times: 1, now: '\t"net/url"\n\t"os"\n' },
]

/** Throws if a text does not occur as often as expected: then another version was downloaded. */
export function patched(file: string, source: string): string {
  return PATCHES.filter((patch) => patch.file === file).reduce((text, { old, times, now, reason }) => {
    const parts = text.split(old)
    if (parts.length - 1 !== times)
      throw new Error(`${file} of FerretDB has changed; this patch does not apply: ${reason}`)
    return parts.join(now)
  }, source)
}
