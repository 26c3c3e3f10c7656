import { inWords } from '../../src/message/message.ts'
import type { Event } from '../../src/runtime/event.ts'
import { operatorNotice } from '../../src/start/operator-notice.ts'

/** What the operator reads of an event, sentence by sentence; null for nothing. */
export function noticeText(event: Event): string | null {
  const notice = operatorNotice(event)
  return notice && [notice.title, ...notice.lines].map((one) => inWords(one)).join('. ')
}
