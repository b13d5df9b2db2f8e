-- One row per trigger and action of the run's passes: how often it led to an answer.
-- Reads: iteration_df
-- Columns: trigger, action_taken, n_passes, n_pairs, n_sufficient, sufficient_share, tokens_mean
select
    iteration_df.trigger,
    iteration_df.action_taken,
    count(*) as n_passes,
    count(distinct iteration_df.pair_id) as n_pairs,
    count(*) filter (where iteration_df.stop_reason = 'sufficient') as n_sufficient,
    count(*) filter (where iteration_df.stop_reason = 'sufficient') / count(*) as sufficient_share,
    avg(iteration_df.n_tokens) as tokens_mean
from iteration_df
where iteration_df.run_id = $run_id
group by iteration_df.trigger, iteration_df.action_taken
order by n_passes desc, iteration_df.trigger, iteration_df.action_taken
