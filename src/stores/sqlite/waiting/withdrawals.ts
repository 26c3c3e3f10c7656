import { fromJson, toJson } from '../../../lib/text/json.ts'
import { withoutAlerts } from '../../../message/annotation.ts'
import { isSilent, type Message } from '../../../message/message.ts'
import { type Delegation, drillName, handoverName } from '../../../people/delegation.ts'
import type { Write } from '../../../store/store.ts'
import { reasonFrom } from '../columns.ts'
import { integer, type Statements } from '../statements.ts'

interface Row {
  id: number
  message: string
  reason: string | null
  note: string | null
  tried_at: number | null
}

type Pair = Pick<Delegation, 'personId' | 'delegateId'>

/** Takes out of the outbox what has lost its ground: nobody may read it any more, or wants to. */
export interface Withdrawals {
  alertsOver(gone: Omit<Extract<Write, { is: 'withdrawn' }>, 'is'>): void
  /** Others have messages about this person's alerts, which they keep no longer. */
  personGone(personId: number): void
  delegationGone(pair: Pair): void
  handoverOver(pair: Pair): void
}

/** Call it inside a transaction. */
export function createWithdrawals(sqlite: Statements): Withdrawals {
  const columns = 'outbox.id, message, outbox.reason, note, tried_at'
  // The parts of a summary that waits are told anew with the next one.
  const about = sqlite.prepare(`SELECT ${columns} FROM outbox_alerts CROSS JOIN outbox ON id = row_id
    WHERE alert_id = ${integer('?')} AND note IS NULL AND (state = 'waiting'
      OR merged_into IN (SELECT id FROM outbox WHERE state = 'waiting'))`)
  const wasTold = sqlite.prepare(`SELECT 1 FROM outbox_alerts CROSS JOIN outbox ON id = row_id
    WHERE alert_id = ${integer('@alertId')} AND note IS NULL
      AND chat_id = (SELECT chat_id FROM outbox WHERE id = ${integer('@rowId')})
      AND (state = 'sent' OR tried_at IS NOT NULL OR possible_repeat = 1) LIMIT 1`)
  const ofPerson = `SELECT DISTINCT ${columns} FROM alerts CROSS JOIN outbox_alerts ON alert_id = alerts.id
    CROSS JOIN outbox ON outbox.id = row_id WHERE alerts.person_id = @personId`
  const elsewhere = sqlite.prepare(
    `${ofPerson} AND outbox.chat_id NOT IN (SELECT id FROM chats WHERE person_id = @personId)`,
  )
  const atDelegate = sqlite.prepare(`${ofPerson} AND state = 'waiting'
    AND outbox.chat_id IN (SELECT id FROM chats WHERE person_id = @delegateId AND private = 1)`)
  const alertsOf = sqlite.prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ?').pluck()
  const personOf = sqlite.prepare('SELECT person_id FROM alerts WHERE id = ?').pluck()
  const shorten = sqlite.prepare('UPDATE outbox SET message = ? WHERE id = ?')
  const drop = sqlite.prepare('DELETE FROM outbox WHERE id = ?')
  // The outcome of a row that is being sent still counts. It is not sent again.
  const expire = sqlite.prepare(
    'UPDATE outbox SET expires_at = @at, copied_at = ifnull(copied_at, @at) WHERE id = @id',
  )
  const dropNamed = sqlite.prepare("DELETE FROM outbox WHERE state = 'waiting' AND about = json_array(?)")
  // A picture is about nothing, so that no words wait for it: no alert leads to its row.
  const pictures = 'DELETE FROM outbox WHERE picture_of'
  const waitingPictures = sqlite.prepare(`${pictures} = ${integer('?')} AND state = 'waiting'`)
  const ofTheirs = `${pictures} IN (SELECT id FROM alerts WHERE person_id = @personId)`
  const picturesElsewhere = sqlite.prepare(
    `${ofTheirs} AND chat_id NOT IN (SELECT id FROM chats WHERE person_id = @personId)`,
  )
  const picturesAtDelegate = sqlite.prepare(`${ofTheirs} AND state = 'waiting'
    AND chat_id IN (SELECT id FROM chats WHERE person_id = @delegateId AND private = 1)`)
  const delegatesOf = sqlite.prepare('SELECT helper_id FROM agreements WHERE person_id = ?').pluck()

  function withdraw(row: Row, isGone: (alertId: number) => boolean, end: () => void): void {
    const said = fromJson(row.message) as Message
    const left = withoutAlerts(said, isGone)
    const isSummary =
      reasonFrom(row.reason) === 'coalesced' && (alertsOf.all(row.id) as number[]).every(isGone)
    if (row.note !== null || isSummary || isSilent(left)) end()
    else if (left !== said) shorten.run(toJson(left), row.id)
  }
  const handoverOver = (pair: Pair) => void dropNamed.run(handoverName(pair))
  const standInOver = (pair: Pair) => {
    for (const name of [handoverName(pair), drillName(pair)]) dropNamed.run(name)
  }
  const forget = (rows: readonly Row[], personId: number) => {
    for (const row of rows)
      withdraw(
        row,
        (id) => personOf.get(id) === personId,
        () => drop.run(row.id),
      )
  }
  return {
    alertsOver({ alertIds, ends, at }) {
      for (const { alertId, rowId } of ends)
        if (wasTold.get({ alertId, rowId }) === undefined) drop.run(rowId)
      const gone = new Set(alertIds)
      for (const alertId of alertIds) {
        waitingPictures.run(alertId)
        for (const row of about.all(alertId) as Row[]) {
          const end = () => (row.tried_at === null ? drop.run(row.id) : expire.run({ id: row.id, at }))
          withdraw(row, (id) => gone.has(id), end)
        }
      }
    },
    personGone(personId) {
      picturesElsewhere.run({ personId })
      forget(elsewhere.all({ personId }) as Row[], personId)
      for (const delegateId of delegatesOf.all(personId) as number[]) standInOver({ personId, delegateId })
    },
    delegationGone(pair) {
      picturesAtDelegate.run(pair)
      forget(atDelegate.all(pair) as Row[], pair.personId)
      standInOver(pair)
    },
    handoverOver,
  }
}
