import type { BuiltInCategory } from '#shared/limits.ts'
import type { Scene } from './recording/scenes.ts'

/** `hue` is in degrees. */
export type Titled = { category: BuiltInCategory; title: string; scene: Scene; hue: number }

const of = (category: BuiltInCategory, rows: [Scene, number, string][]): Titled[] =>
  rows.map(([scene, hue, title]) => ({ category, scene, hue, title }))

const BY_GAME: Titled[][] = [
  of('GTA', [
    ['road', 310, 'Night drive to Vinewood, no traffic laws'],
    ['city', 325, 'Five stars on Grove Street and no car'],
    ['road', 190, 'The getaway driver finally had one job'],
    ['city', 285, 'Casino heist, last exit, eleven seconds left'],
    ['road', 25, 'Perfect landing on the airport highway'],
    ['terrain', 100, 'Where all forty hidden jumps are'],
    ['city', 200, 'Mid-air kill from a falling bike'],
    ['road', 260, 'Car meet: every build in one lap'],
  ]),
  of('Minecraft', [
    ['blocks', 112, 'Hardcore day 100: the valley is ours'],
    ['islands', 95, 'Our server map after one year'],
    ['blocks', 45, 'Mesa base tour, every room'],
    ['blocks', 150, 'Bucket clutch from build height'],
    ['islands', 60, 'How the shulker taxi finds your house'],
    ['blocks', 95, 'He mined straight down. Again.'],
    ['blocks', 285, 'Iron farm in under five minutes'],
  ]),
  of('Rust', [
    ['mountains', 20, 'Solo against a whole clan at Launch Site'],
    ['mountains', 350, 'Wipe day sunrise, first gun in six minutes'],
    ['terrain', 130, 'Roam route for the new map'],
    ['mountains', 32, 'Counter raid with one rocket left'],
    ['mountains', 8, 'Triple headshot from the roof'],
    ['mountains', 45, 'We traded a boat for a minicopter'],
    ['terrain', 95, 'Every recycler on the river side'],
    ['mountains', 265, 'Night raid: nobody brought a torch'],
  ]),
  of('CS2', [
    ['blocks', 38, '1v4 clutch on Mirage with the Deagle'],
    ['city', 40, 'Ace before the bomb was even planted'],
    ['mountains', 42, 'Ninja defuse, they were standing on me'],
    ['arcade', 20, 'Spray transfer practice, first clean run'],
    ['city', 25, 'Overtime, match point, and my mouse disconnects'],
    ['blocks', 28, 'Three smokes that win Inferno'],
    ['mountains', 38, 'Four no-scopes in one AWP round'],
    ['city', 55, 'The 12-12 game nobody expected us to win'],
    ['arcade', 130, 'Aim routine: 45 seconds, every day'],
    ['bars', 0, 'Testing the new capture card'],
  ]),
  of('Tarkov', [
    ['forest', 120, 'Last five minutes of Woods with full bags'],
    ['forest', 90, 'He heard me reload. I heard him breathe.'],
    ['terrain', 110, 'Extract timing for Shoreline, no commentary'],
    ['forest', 150, 'Zero to hero with one Mosin'],
    ['mountains', 75, 'Five-man wipe at the dam'],
    ['forest', 60, 'Player scav turned into a bodyguard'],
    ['forest', 175, 'Insurance fraud, the wholesome kind'],
  ]),
  of('Rainbow Six', [
    ['city', 225, '1v5 on Clubhouse, C4 through the floor'],
    ['nebula', 220, 'Last-second defuse with nine health'],
    ['city', 180, 'Vertical play on Bank that always works'],
    ['city', 245, 'Spawn peek gone wrong, then very right'],
    ['arcade', 240, 'Drone route you have not tried yet'],
    ['city', 160, 'Four kills from one rotation hole'],
  ]),
  of('FiveM', [
    ['road', 225, 'First patrol: one pursuit, two trees'],
    ['city', 350, 'The mayor asked for a quiet wedding'],
    ['road', 340, 'Perfect PIT stop on the highway'],
    ['city', 265, 'Bank robbery, but the hostage is a lawyer'],
    ['terrain', 140, 'Dispatch view of the whole jailbreak'],
    ['city', 305, 'Undercover for three weeks, caught by a taxi'],
  ]),
  of('Other', [
    ['nebula', 280, 'Sector nine without a scratch'],
    ['colony', 150, 'I left the colony alone for an hour'],
    ['fractal', 200, 'The boss room that never ends'],
    ['arcade', 310, 'High score run, cabinet settings'],
    ['colony', 335, 'Spore season, speedrun category'],
    ['fractal', 40, 'Zooming into the secret level'],
    ['nebula', 40, 'Squad night: last ship standing'],
    ['colony', 210, 'Deep sea garden, no deaths'],
  ]),
]

/** The games take turns, as a home page mixes them. */
export const TITLES: Titled[] = Array.from({ length: 10 }, (_, turn) =>
  BY_GAME.flatMap((titles) => titles[turn] ?? []),
).flat()
