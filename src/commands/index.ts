import type { Kind } from '../alert.ts'
import type { Command } from '../command.ts'
import { alertCommand } from './alert.ts'
import ack from './ack.ts'
import agree from './agree.ts'
import { escalateCommand } from './escalate.ts'
import handover from './handover.ts'
import alerts from './alerts.ts'
import channel from './channel.ts'
import digest from './digest.ts'
import drill from './drill.ts'
import exportCommand from './export.ts'
import fix from './fix.ts'
import forget from './forget.ts'
import funding from './funding.ts'
import { helpCommand } from './help.ts'
import type { Group } from './help.ts'
import history from './history.ts'
import invite from './invite.ts'
import link from './link.ts'
import market from './market.ts'
import markets from './markets.ts'
import orders from './orders.ts'
import positions from './positions.ts'
import preview from './preview.ts'
import shock from './shock.ts'
import snooze from './snooze.ts'
import { muteCommand } from './mute.ts'
import quiet from './quiet.ts'
import unmute from './unmute.ts'
import quit from './quit.ts'
import remove from './remove.ts'
import { settingsCommand } from './settings.ts'
import type { Named } from './words/places.ts'
import start from './start.ts'
import { tryCommand } from './try.ts'
import status from './status.ts'
import unwatch from './unwatch.ts'
import wallets from './wallets.ts'
import watch from './watch.ts'
import why from './why.ts'

/**
 * Every command, in the order of help; `named` are the platforms where people name a place and are only told, `absent` the kinds
 * of alert that need what this venue does not show.
 */
export function commandList(
  kinds: readonly Kind[],
  named: readonly Named[] = [],
  absent: readonly Kind[] = [],
): readonly Command[] {
  const groups: Group[] = [
    { title: 'Wallets', commands: [watch, unwatch, wallets] },
    { title: 'Look', commands: [positions, orders, markets, market, funding, preview, fix, shock] },
    {
      title: 'Alerts',
      commands: [
        alertCommand(kinds, absent),
        tryCommand(kinds, absent),
        alerts,
        ack,
        snooze,
        muteCommand(kinds),
        unmute,
        remove,
        why,
        history,
      ],
    },
    { title: 'Nights', commands: [quiet, digest, escalateCommand(named), agree, handover, drill] },
    { title: 'You', commands: [settingsCommand(named), link, exportCommand, forget] },
    { title: 'Others', commands: [channel, invite] },
  ]
  groups.unshift({ title: 'First', commands: [start, helpCommand(groups), status, quit] })
  return groups.flatMap(({ commands }) => commands)
}
