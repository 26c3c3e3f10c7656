import type { Kind } from '../alert.ts'
import type { Command } from '../command.ts'
import { alertCommand } from './alert.ts'
import alerts from './alerts.ts'
import help from './help.ts'
import history from './history.ts'
import positions from './positions.ts'
import quit from './quit.ts'
import remove from './remove.ts'
import start from './start.ts'
import status from './status.ts'
import unwatch from './unwatch.ts'
import wallets from './wallets.ts'
import watch from './watch.ts'
import why from './why.ts'

/** Every command, in the order of help. */
export function commandList(kinds: readonly Kind[]): readonly Command[] {
  return [
    start,
    help,
    watch,
    unwatch,
    wallets,
    positions,
    alerts,
    alertCommand(kinds),
    remove,
    why,
    history,
    status,
    quit,
  ]
}
