import type { Chat } from '../../chat.ts'
import type { Alert, Rule, Severity } from '../../alert.ts'
import type { Digest } from '../../digest.ts'
import type { GuardId } from '../../guard.ts'
import type { NumberStyle } from '../../lib/number-style.ts'
import type { Owner } from '../../owner.ts'
import type { Person, Step, Watch } from '../../person.ts'
import type { Quiet } from '../../quiet.ts'
import { subjectOf } from '../../subject.ts'
import { fromJson } from '../../lib/json.ts'
import type { TrailStep } from '../../trail.ts'

/** A row as SQLite hands it out. */
export type Columns = Record<string, string | number | null>

export function personFrom(row: Columns, identities: Columns[]): Person {
  return {
    id: Number(row['id']),
    operator: row['operator'] === 1,
    zone: String(row['zone']),
    numbers: row['numbers'] as NumberStyle,
    defaultChat: row['default_chat'] as number | null,
    fallbackChat: row['fallback_chat'] as number | null,
    escalateFrom: Number(row['escalate_from']),
    steps: fromJson(String(row['steps'])) as Step[],
    identities: identities.map((one) => ({ platform: String(one['platform']), user: String(one['user']) })),
  }
}

export function chatFrom(row: Columns): Chat {
  return {
    id: Number(row['id']),
    address: {
      platform: String(row['platform']),
      chat: String(row['chat']),
      thread: row['thread'] as string | null,
    },
    title: row['title'] as string | null,
    personId: Number(row['person_id']),
    private: row['private'] === 1,
    mention: row['mention'] as string | null,
    brokenBecause: row['broken_because'] as string | null,
    quiet: row['quiet'] === null ? null : (fromJson(String(row['quiet'])) as Quiet),
    digest: row['digest'] === null ? null : (fromJson(String(row['digest'])) as Digest),
  }
}

export function watchFrom(row: Columns): Watch {
  return {
    owner: row['owner'] as Owner,
    personId: Number(row['person_id']),
    label: String(row['label']),
    since: Number(row['since']),
  }
}

export function ruleFrom(row: Columns): Rule {
  return {
    id: Number(row['id']),
    personId: Number(row['person_id']),
    chatId: Number(row['chat_id']),
    kind: String(row['kind']),
    params: fromJson(String(row['params'])),
    identity: String(row['identity']),
    owner: row['owner'] as Owner | null,
    market:
      row['market_id'] === null ? null : { id: String(row['market_id']), symbol: String(row['symbol']) },
    armedByWatch: row['armed_by_watch'] === 1,
    holdMs: Number(row['hold_ms']),
  }
}

export function guardFrom(row: Columns): GuardId {
  return {
    chatId: Number(row['chat_id']),
    kind: String(row['kind']),
    identity: String(row['identity']),
    subject: subjectOf(String(row['subject'])),
  }
}

export function alertFrom(row: Columns): Alert {
  return {
    id: Number(row['id']),
    ...guardFrom(row),
    ruleIds: fromJson(String(row['rule_ids'])) as number[],
    personId: Number(row['person_id']),
    title: String(row['title']),
    severity: row['severity'] as Severity,
    openedAt: Number(row['opened_at']),
    closedAt: row['closed_at'] as number | null,
  }
}

export function stepFrom(alertId: number, row: Columns): TrailStep {
  return {
    alertId,
    at: Number(row['at']),
    reason: row['reason'] as TrailStep['reason'],
    what: String(row['what']),
    value: row['value'] as number | null,
    threshold: String(row['threshold']),
    dataAt: Number(row['dataAt']),
    queuedAt: row['queuedAt'] as number | null,
    sentAt: row['sentAt'] as number | null,
    attempts: Number(row['attempts']),
    possibleRepeat: row['possibleRepeat'] === 1,
    outcome: row['outcome'] as TrailStep['outcome'],
  }
}
