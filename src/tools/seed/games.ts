import type { BuiltInCategory } from '#shared/limits.ts'

export type Game = {
  places: string[]
  weapons: string[]
  people: string[]
  events: string[]
  things: string[]
  feats: string[]
  tags: string[]
}

const words = (text: string) => text.split(',').map((word) => word.trim())

export const GAMES: Record<BuiltInCategory, Game> = {
  Rust: {
    places: words(`Launch Site, Large Oil Rig, Small Oil Rig, the Dome, Airfield, Train Yard,
      Water Treatment, Power Plant, Military Tunnels, Junkyard, the Excavator, Arctic Base, Harbor,
      Outpost, Bandit Camp, the Sewer Branch, Missile Silo, the snow biome, the river base`),
    weapons: words(`AK, LR-300, bolt action, Thompson, custom SMG, SAR, Python, eoka, M249,
      compound bow, crossbow, double barrel, MP5, rocket launcher, nailgun, spear`),
    people: words(`solo, duo, naked, roof camper, zerg, farmer, builder, freshspawn, door camper,
      whole clan, bush wookiee, cargo crew`),
    events: words(`wipe day, an offline raid, an online raid, a counter raid, the cargo run,
      a heli crash, Bradley, a chinook crate, a door camp, a roof fight, the last hour of wipe`),
    things: words(`sulfur node, tool cupboard, airlock, honeycomb, workbench, shop front, furnace,
      auto turret, boat, horse, minicopter, loot room`),
    feats: words(
      `raid, triple headshot, base takeover, jump-up, roof ladder, grub, spray transfer`,
    ),
    tags: words(`rust, pvp, raid, solo, wipe, basebuild, survival, oilrig, clan, roleplay`),
  },
  CS2: {
    places: words(`Mirage, Inferno, Nuke, Ancient, Anubis, Dust II, Overpass, Vertigo, Train,
      Banana, B apartments, A ramp, mid, connector, the pit, short A, window, outside, heaven`),
    weapons: words(`AWP, AK-47, M4A1-S, M4A4, Deagle, USP-S, Glock, Galil, FAMAS, Scout, MAC-10,
      P250, Tec-9, Negev, Zeus, knife`),
    people: words(`entry fragger, lurker, IGL, last CT, silver teammate, eco stack, boosted premade,
      rotator, anchor, bot, bottom fragger`),
    events: words(`pistol round, an eco round, overtime, match point, a force buy, the ninja defuse,
      a save round, our premier placement, a 12-12 game, a B rush`),
    things: words(`smoke lineup, one-way, molotov, flash, bomb plant, AK drop, retake, wallbang,
      crosshair, demo, boost, off-angle`),
    feats: words(`ace, 1v3 clutch, 1v4 clutch, 1v5, ninja defuse, no-scope, wallbang, collateral,
      quad kill, jumping headshot, retake`),
    tags: words(`cs2, clutch, ace, awp, premier, faceit, lineups, highlights, competitive, retake`),
  },
  'Rainbow Six': {
    places: words(`Clubhouse, Oregon, Kafe, Bank, Border, Chalet, Consulate, Villa, Skyscraper,
      Theme Park, Coastline, Kanal, the basement, master bedroom, the garage, church, top floor`),
    weapons:
      words(`R4-C, MP7, SMG-11, 416-C, ACOG DMR, shotgun, C4, impact grenade, breaching round,
      Alpine, LMG, D-50, drone, shield`),
    people: words(`Jäger, Ash, Mute, Thermite, Smoke, Bandit, Ace, Doc, Valkyrie, Sledge, roamer,
      anchor, hard breacher, recruit rush, bronze stack, plat duo`),
    events: words(`ranked, overtime, match point, a spawn peek, a last-second plant, a 1v5,
      prep phase, a bronze lobby, our placement game, custom night`),
    things:
      words(`rotation hole, reinforced wall, kill hole, camera, vertical angle, bulletproof cam,
      barricade, hatch, pixel peek, defuser, plant spot`),
    feats:
      words(`ace, 1v4 clutch, spawn peek, C4 kill, drone save, vertical kill, last-second defuse,
      quad wallbang, shotgun rotation`),
    tags: words(`r6, siege, clutch, ranked, ace, operators, strats, spawnpeek, funny, squad`),
  },
  GTA: {
    places: words(`Vinewood, the airport, Mount Chiliad, Sandy Shores, Paleto Bay, the casino,
      Fort Zancudo, Grove Street, the docks, Legion Square, the highway, Del Perro Pier, Cayo Perico`),
    weapons: words(`sticky bomb, minigun, heavy sniper, oppressor, RPG, railgun, up-n-atomizer,
      AP pistol, tank, jet, cargobob, snowball`),
    people: words(`griefer, random, CEO, cop, stunt driver, heist crew, getaway driver, pilot,
      level 600 player, new player, passive driver`),
    events: words(`the casino heist, a five-star chase, a public lobby, the sell mission,
      a stunt race, the car meet, a night drive, the cargo plane, demolition derby`),
    things:
      words(`supercar, deluxo, armored van, yacht, bunker, parachute, wallride, ramp, speedrun,
      glitch, trailer, train`),
    feats: words(`wallride, mid-air kill, perfect landing, no-damage heist, stunt jump, PIT stop,
      last-second escape, double backflip`),
    tags: words(`gta, gtaonline, heist, stunts, funny, chase, cars, racing, fails, freeroam`),
  },
  Tarkov: {
    places: words(`Customs, Interchange, Reserve, Shoreline, Woods, Factory, Labs, Lighthouse,
      Streets, Ground Zero, Dorms, Big Red, KIBA, the resort, the bunker, Old Gas, the fortress`),
    weapons: words(`M4, AK-74N, Mosin, MP-153, SA-58, VSS, RPK-16, MDR, SKS, AXMC, TT pistol,
      grenade launcher, flare gun, hatchet`),
    people:
      words(`scav, player scav, boss, boss guard, masked man, sniper scav, chad, rat, timmy, sherpa,
      five-man, extract camper, cultist, raider`),
    events: words(`a scav run, the last five minutes, a night raid, wipe week, a Labs rush,
      my first Kappa task, a hatchet run, an extract camp, a five-man fight`),
    things:
      words(`LEDX, graphics card, red keycard, thermal scope, plate carrier, Bitcoin, secure container,
      marked room key, headset, juice box, stash, insurance return`),
    feats:
      words(`five-man wipe, head-eyes, boss kill, naked run, last-second extract, hip-fire spray,
      grenade double, zero-to-hero`),
    tags: words(`tarkov, eft, pvp, loot, scavrun, zerotohero, labs, bosses, wipe, guide`),
  },
  FiveM: {
    places: words(`Mission Row, the courthouse, Pillbox, Sandy PD, the vineyard, the docks,
      Burger Shot, the impound, Bahama Mamas, the prison, the mechanic shop, Roxwood, the hood`),
    weapons: words(`taser, beanbag, pump shotgun, pistol, spike strip, baton, crowbar, tow truck,
      police helicopter, radio, megaphone, flashlight`),
    people: words(`officer, sheriff, lawyer, medic, gang leader, mechanic, judge, reporter,
      taxi driver, hostage, car dealer, dispatcher, cadet, mayor`),
    events: words(`a bank robbery, a hostage situation, my first patrol, the court case, a turf war,
      a street race, the city wedding, a jailbreak, a traffic stop, the 10-80`),
    things:
      words(`whitelist server, character, backstory, evidence, getaway car, ticket, cell phone,
      license plate, drug run, handcuffs, body cam, radio call`),
    feats: words(`perfect pursuit, negotiation, clean getaway, undercover sting, PIT stop, arrest,
      plot twist, character break`),
    tags: words(`fivem, gtarp, roleplay, police, pursuit, funny, story, chase, gang, stream`),
  },
  Minecraft: {
    places: words(`the Nether, the End, a stronghold, an ancient city, the deep dark, a bastion,
      an ocean monument, a mushroom island, the spawn chunks, a trial chamber, a jungle temple,
      the cherry grove, our base`),
    weapons: words(`netherite axe, mace, bow, crossbow, trident, TNT, shield, wind charge,
      fishing rod, end crystal, diamond sword, bed`),
    people: words(`creeper, warden, villager, wither, ender dragon, iron golem, piglin, speedrunner,
      redstoner, builder, griefer, skeleton, enderman`),
    events: words(`hardcore day 100, a raid, the dragon fight, UHC, a manhunt, bed wars,
      the first night, a mining trip, the server reset, a build battle, day 1000`),
    things: words(`iron farm, storage hall, elytra, beacon, villager trading hall, redstone door,
      super smelter, nether highway, mob switch, treehouse, castle, sorter`),
    feats: words(`bucket clutch, one-cycle, wither kill, speedrun, bed explosion, elytra save,
      dragon kill, mace drop, perfect stasis`),
    tags: words(
      `minecraft, hardcore, redstone, smp, build, farm, survival, speedrun, pvp, tutorial`,
    ),
  },
  Other: {
    places: words(`the final lap, the boss room, ranked, the lobby, map three, the last zone,
      the warehouse, level nine, the canyon, the arena, New Game Plus, the practice range`),
    weapons: words(`controller, shotgun, sniper, sword, starter deck, blue shell, hammer, bow,
      grappling hook, parry, keyboard, steering wheel`),
    people:
      words(`final boss, speedrunner, healer, tank, party of four, rival, newcomer, commentator,
      smurf, co-op partner, my little brother, chat`),
    events: words(`game night, the LAN party, a blind run, our first raid, the community cup,
      a demo weekend, the release night, a charity stream, couch co-op, the playtest`),
    things: words(`glitch, shortcut, skip, loadout, deck, save file, photo mode, mod, easter egg,
      patch note, world record, keybind`),
    feats: words(`no-hit run, comeback, photo finish, perfect parry, last-second goal, squad wipe,
      world record, trick shot, first-try clear`),
    tags: words(`gaming, highlights, coop, indie, lan, funny, speedrun, community, racing, retro`),
  },
}

/** Relative weights. */
export const GAME_SHARES: [BuiltInCategory, number][] = [
  ['CS2', 24],
  ['Rust', 20],
  ['Tarkov', 14],
  ['GTA', 11],
  ['Rainbow Six', 10],
  ['FiveM', 9],
  ['Minecraft', 8],
  ['Other', 4],
]
