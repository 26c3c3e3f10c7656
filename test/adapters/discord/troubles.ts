import type { Discord } from '../../support/discord/server.ts'

/** Ways in which a connection to Discord ends, or is told to. */
export const TROUBLES: [what: string, trouble: (discord: Discord) => void][] = [
  ['the connection dropped', ({ gateway }) => gateway.drop()],
  ['being told to reconnect (op 7)', ({ gateway }) => gateway.reconnect()],
  ['a close with 4000', ({ gateway }) => gateway.close(4000)],
  ['a session that timed out (4009)', ({ gateway }) => gateway.close(4009)],
  ['a session that may be resumed (op 9)', ({ gateway }) => gateway.invalidate(true)],
  ['a session that is over (op 9)', ({ gateway }) => gateway.invalidate(false)],
  ['a normal close (1000)', ({ gateway }) => gateway.close(1000)],
  ['a close for good (4004)', ({ gateway }) => gateway.close(4004)],
  ['another close for good (4014)', ({ gateway }) => gateway.close(4014)],
]
