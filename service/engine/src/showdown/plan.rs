//! The plan of a move as one plain sentence, in English, Portuguese and Lithuanian.

use std::cmp::Ordering;

use super::advice::ShowdownAdvice;
use super::game::Showdown;
use super::moves::ShowdownMove;
use super::position::ShowdownPosition;
use super::ruleset::FaceNames;
use crate::dice::{Keep, Roll};
use crate::explain::Language;

impl FaceNames {
    /// The symbol of a face.
    #[must_use]
    pub fn label(self, face: u8) -> String {
        match (self, face) {
            (Self::Cards, 1) => "9".to_owned(),
            (Self::Cards, 2) => "10".to_owned(),
            (Self::Cards, 3) => "J".to_owned(),
            (Self::Cards, 4) => "Q".to_owned(),
            (Self::Cards, 5) => "K".to_owned(),
            (Self::Cards, 6) => "A".to_owned(),
            _ => face.to_string(),
        }
    }
}

/// The sentence: the standing of the player to move, the move of `advice`, and its chances.
#[must_use]
pub fn plan(
    game: &Showdown,
    position: &ShowdownPosition,
    advice: &ShowdownAdvice,
    runner_up: Option<f64>,
    names: FaceNames,
    language: Language,
) -> String {
    let teller = Teller { game, names, language };
    let mut sentence = teller.standing(position).unwrap_or_default();
    let action = teller.action(advice.chosen, position);
    if sentence.is_empty() {
        sentence.push_str(&capitalized(&action));
    } else {
        sentence.push_str(&action);
    }
    sentence.push_str(&teller.outcome(advice));
    if let Some(regret) = runner_up {
        sentence.push_str(&teller.compared(regret, advice));
    }
    sentence.push('.');
    sentence
}

struct Teller<'a> {
    game: &'a Showdown,
    names: FaceNames,
    language: Language,
}

impl Teller<'_> {
    /// How the dice of the player to move compare with the best of the others.
    fn standing(&self, position: &ShowdownPosition) -> Option<String> {
        let hands = self.game.hands();
        let own = hands.rank(position.dice()?);
        let seats = position.seats().iter().enumerate();
        let others = seats.filter(|(player, _)| *player != position.to_move());
        let best = others.filter_map(|(_, seat)| seat.dice).max_by_key(|&roll| hands.rank(roll))?;
        let standing = match (self.language, own.cmp(&hands.rank(best))) {
            (Language::English, Ordering::Greater) => "You are ahead",
            (Language::English, Ordering::Less) => "You are behind",
            (Language::English, Ordering::Equal) => "You are level",
            (Language::Portuguese, Ordering::Greater) => "Estás à frente",
            (Language::Portuguese, Ordering::Less) => "Estás atrás",
            (Language::Portuguese, Ordering::Equal) => "Estás empatado",
            (Language::Lithuanian, Ordering::Greater) => "Tavo ranka geresnė",
            (Language::Lithuanian, Ordering::Less) => "Tavo ranka prastesnė",
            (Language::Lithuanian, Ordering::Equal) => "Rankos lygios",
        };
        let against = match self.language {
            Language::English => "against",
            Language::Portuguese => "contra",
            Language::Lithuanian => "–",
        };
        let (own, best) = (self.hand(position.dice()?), self.hand(best));
        Some(format!("{standing}: {own} {against} {best}; "))
    }

    /// The name of the hand of `roll`, and its dice.
    fn hand(&self, roll: Roll) -> String {
        let hand = &self.game.definition().hands[self.game.hands().hand(roll)];
        let titles =
            [hand.local_titles.get(self.language.tag()), Some(&hand.title), Some(&hand.id)];
        let title = titles.into_iter().flatten().find(|title| !title.is_empty());
        let title = title.map(|title| title.to_lowercase()).unwrap_or_default();
        format!("{title} ({})", self.faces(self.game.space().as_keep(roll)))
    }

    fn faces(&self, keep: Keep) -> String {
        let faces = self.game.space().faces_of(keep);
        faces.map(|face| self.names.label(face)).collect::<Vec<_>>().join("-")
    }

    fn action(&self, chosen: ShowdownMove, position: &ShowdownPosition) -> String {
        let offered = position.stakes().offered > 0;
        let of = |english: &str, portuguese: &str, lithuanian: &str| {
            match self.language {
                Language::English => english,
                Language::Portuguese => portuguese,
                Language::Lithuanian => lithuanian,
            }
            .to_owned()
        };
        match chosen {
            ShowdownMove::Keep(Keep::EMPTY) => {
                of("throw all the dice", "lança os dados todos", "mesk visus kauliukus")
            }
            ShowdownMove::Keep(keep) => {
                let keep = self.faces(keep);
                of(
                    &format!("keep {keep} and throw the rest"),
                    &format!("guarda {keep} e lança o resto"),
                    &format!("pasilik {keep} ir mesk likusius"),
                )
            }
            ShowdownMove::Stop => {
                of("keep all the dice", "fica com os dados todos", "pasilik visus kauliukus")
            }
            ShowdownMove::Accept if offered => {
                of("accept the raise", "aceita a subida", "priimk pakėlimą")
            }
            ShowdownMove::Accept => of(
                "leave the stake as it is",
                "deixa a aposta como está",
                "palik statymą, koks yra",
            ),
            ShowdownMove::Raise(amount) => of(
                &format!("raise by {amount}"),
                &format!("sobe a aposta em {amount}"),
                &format!("pakelk statymą {amount}"),
            ),
            ShowdownMove::GiveUp => of("give up the round", "desiste da ronda", "pasiduok"),
        }
    }

    fn outcome(&self, advice: &ShowdownAdvice) -> String {
        let Some(round) = advice.round else {
            if advice.game.is_none() && self.game.definition().payout {
                let value = self.decimal(advice.value);
                return match self.language {
                    Language::English => format!(": it returns {value} stakes on average"),
                    Language::Portuguese => format!(": rende em média {value} apostas"),
                    Language::Lithuanian => format!(": vidutiniškai grąžina {value} statymo"),
                };
            }
            return String::new();
        };
        let (win, draw) = (self.percent(round.win), self.percent(round.draw));
        let mut text = match self.language {
            Language::English => format!(": {win} to win the round"),
            Language::Portuguese => format!(": {win} de ganhar a ronda"),
            Language::Lithuanian => format!(": {win} laimėti raundą"),
        };
        if round.draw >= 0.005 {
            text += &match self.language {
                Language::English => format!(", {draw} to draw"),
                Language::Portuguese => format!(", {draw} de empatar"),
                Language::Lithuanian => format!(", {draw} sužaisti lygiosiomis"),
            };
        }
        if let Some(game) = advice.game.filter(|_| self.game.definition().wins_needed > 1) {
            let win = self.percent(game.win);
            text += &match self.language {
                Language::English => format!(", {win} to win the match"),
                Language::Portuguese => format!(", {win} de ganhar a partida"),
                Language::Lithuanian => format!(", {win} laimėti partiją"),
            };
        }
        text
    }

    /// The value of the best other move compared with this one.
    fn compared(&self, regret: f64, advice: &ShowdownAdvice) -> String {
        let level = regret.abs() < 0.0005;
        let stakes = self.game.definition().payout || self.game.definition().raises > 0;
        let gap = if stakes {
            let gap = self.decimal(regret.abs());
            match self.language {
                Language::English => format!("{gap} stakes"),
                Language::Portuguese => format!("{gap} apostas"),
                Language::Lithuanian => format!("{gap} statymo"),
            }
        } else {
            let gap = format!("{:.1} %", regret.abs() * 100.0);
            if self.language == Language::English { gap } else { gap.replace('.', ",") }
        };
        debug_assert!(advice.regret >= 0.0);
        match (self.language, level, regret > 0.0) {
            (Language::English, true, _) => "; the next best move is as good".to_owned(),
            (Language::English, _, true) => format!("; the next best move gives up {gap}"),
            (Language::English, _, false) => format!("; the best move brings {gap} more"),
            (Language::Portuguese, true, _) => "; a segunda melhor jogada vale o mesmo".to_owned(),
            (Language::Portuguese, _, true) => format!("; a segunda melhor jogada perde {gap}"),
            (Language::Portuguese, _, false) => format!("; a melhor jogada rende mais {gap}"),
            (Language::Lithuanian, true, _) => "; kitas geriausias ėjimas lygiavertis".to_owned(),
            (Language::Lithuanian, _, true) => {
                format!("; kitas geriausias ėjimas duoda {gap} mažiau")
            }
            (Language::Lithuanian, _, false) => format!("; geriausias ėjimas duoda {gap} daugiau"),
        }
    }

    fn percent(&self, share: f64) -> String {
        format!("{:.0} %", share * 100.0)
    }

    fn decimal(&self, number: f64) -> String {
        let text = format!("{number:.2}");
        if self.language == Language::English { text } else { text.replace('.', ",") }
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
