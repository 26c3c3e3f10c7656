import type english from '../../en/money/digest.ts'

export default {
  'digest.money.title': 'Seit {since}: {usd}, bis {until}',
  'digest.money.none.title': 'Kein Handel und kein Funding seit {since}, bis {until}',
  'digest.money.until': 'Ergebnis bis {until}',
  'digest.money.unread': 'Ergebnis: nicht rechtzeitig gelesen, siehe /pnl',
  'digest.money.part': '{some} von {n} Wallets gelesen: die anderen fehlen',
  'digest.money.short': 'die Aufzeichnung der Börse beginnt {at}',
  'digest.money.without': '{venue} fehlt darin',
  'weekly.title': 'Wochenbericht',
  'weekly.made.title': 'Wochenbericht: {usd} · {n} {n:Wallet|Wallets}',
  'weekly.none.title': 'Wochenbericht: kein Handel, kein Funding',
  'weekly.unread.title': 'Wochenbericht: Ergebnis nicht gelesen, siehe /pnl',
  'weekly.no-wallet.title': 'Wochenbericht: keine Wallet beobachtet',
  'weekly.alerts': 'Alarme seit {since}: {fired}',
  'weekly.days':
    'Bester Tag {best:mon=Mo|tue=Di|wed=Mi|thu=Do|fri=Fr|sat=Sa|sun=So} {most}, schlechtester {worst:mon=Mo|tue=Di|wed=Mi|thu=Do|fri=Fr|sat=Sa|sun=So} {least}',
  'weekly.button': 'Wochenbericht',
  'weekly.ask': 'Kein Wochenbericht. Wann möchtest du ihn?',
  'weekly.unclear': 'Ich brauche Tag und Uhrzeit, zum Beispiel Mo 08:00.',
  'weekly.off': 'Der Wochenbericht ist aus.',
  'weekly.set':
    '✓ Wochenbericht {day:mon=montags|tue=dienstags|wed=mittwochs|thu=donnerstags|fri=freitags|sat=samstags|sun=sonntags} um {time} ({zone})',
  'weekly.next': 'Lautlos, nächster {next}: Ergebnis, bester Tag, Alarme',
  'weekly.next.on': 'Lautlos, nächster {next} auf {platform}: Ergebnis, bester Tag, Alarme',
} satisfies Record<keyof typeof english, string>
