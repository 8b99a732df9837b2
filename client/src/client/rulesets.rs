//! Rulesets: the built-in ones, and the validation of others.

use dicepoker_proto::v1 as pb;

use crate::call::call;
use crate::{Client, Error, Rules, Ruleset, ValidateRulesetResponse};

impl Client {
    /// The built-in rulesets, all pages of them.
    ///
    /// # Errors
    /// If the service cannot be reached.
    pub async fn rulesets(&self) -> Result<Vec<Ruleset>, Error> {
        let mut rulesets = Vec::new();
        let mut page_token = String::new();
        loop {
            let page = call(self, pb::ListRulesetsRequest { page_size: 0, page_token }).await?;
            rulesets.extend(page.rulesets);
            if page.next_page_token.is_empty() {
                return Ok(rulesets);
            }
            page_token = page.next_page_token;
        }
    }

    /// One built-in ruleset, with the options of `rules` applied.
    ///
    /// # Errors
    /// `NotFound` for an unknown id, `InvalidArgument` for invalid options.
    pub async fn ruleset(&self, rules: impl Into<Rules>) -> Result<Ruleset, Error> {
        let Rules { ruleset, options, .. } = rules.into();
        let response = call(self, pb::GetRulesetRequest { ruleset, options }).await?;
        response.ruleset.ok_or_else(|| Error::malformed("no ruleset"))
    }

    /// Checks rules and estimates the cost of solving them, without solving them.
    ///
    /// ```
    /// # let server = dicepoker_testkit::InProcess::start();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let client = dicepoker_client::Client::connect(server.url()).await?;
    /// use dicepoker_client::{Category, Pattern, Points, RulesetDefinition};
    ///
    /// let rules = RulesetDefinition::new(3, 6, 2)
    ///     .category(Category::new("chance", Pattern::any(), Points::all()))
    ///     .category(Category::new("triple", Pattern::groups([3]), Points::fixed(30)));
    /// let validated = client.validate(rules).await?;
    /// assert_eq!((validated.states, validated.accepted), (4, true));
    /// # Ok::<(), dicepoker_client::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` with every violation.
    pub async fn validate(
        &self,
        rules: impl Into<Rules>,
    ) -> Result<ValidateRulesetResponse, Error> {
        let Rules { ruleset, options, definition } = rules.into();
        call(self, pb::ValidateRulesetRequest { definition, ruleset, options }).await
    }
}
